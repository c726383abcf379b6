"""What the runs of all rounds say: failures, uncovered needs, decisions."""
