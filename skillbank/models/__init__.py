"""Language models behind one protocol; the world and the tests need none of them."""
