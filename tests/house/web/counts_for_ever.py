"""A count that never ends, for the tests of counting beside the house."""

from time import sleep

if __name__ == "__main__":
    while True:
        sleep(1.0)
