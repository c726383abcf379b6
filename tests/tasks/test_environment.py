from tasks.environment import apply, switches


def test_nothing_phones_home():
    told = switches()

    assert told["DO_NOT_TRACK"] == "true"  # MLflow takes no other word for yes
    assert told["MLFLOW_DISABLE_TELEMETRY"] == "true"
    assert told["DVC_NO_ANALYTICS"] == "1"
    assert told["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"


def test_a_git_hook_does_not_turn_us_to_its_own_repository():
    environment = {"GIT_DIR": "/elsewhere/.git", "GIT_INDEX_FILE": "/elsewhere/index"}

    apply(environment)

    assert environment.keys() == switches().keys()


def test_a_switch_that_the_user_set_stays():
    environment = {"DO_NOT_TRACK": "1"}

    apply(environment)

    assert environment["DO_NOT_TRACK"] == "1"
    assert environment.keys() == switches().keys()
