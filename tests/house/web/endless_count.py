"""A count process that never ends."""

from time import sleep

if __name__ == "__main__":
    while True:
        sleep(1.0)
