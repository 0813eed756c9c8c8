#!/usr/bin/env python3
"""Makes a story of each row of a CSV file; prints the Ids in the order of the rows. It may be run again after a failure."""
import csv
import hashlib
import json
import os
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL, TOKEN = os.environ["WORKTRACK_URL"], os.environ["WORKTRACK_TOKEN"]
ROWS, ATTEMPTS = 100, 5


def story(row):
    return {**row, "Project": {"Id": int(row["Project"])}}


def send(body, key):
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Content-Type": "application/json",
        "Idempotency-Key": key,
    }
    request = Request(f"{URL}/api/v1/UserStories/bulk?format=json&include=[Id]", body, headers)
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)["Items"]


def send_until_answered(body, key):
    """With the same key the service does it once, however often it is asked."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return send(body, key)
        except HTTPError as error:
            if error.code not in (429, 503):
                sys.exit(f"{error.code} {error.read().decode()}")
        except (OSError, HTTPException, ValueError):
            pass  # The connection broke: whether the rows are stored is not known.
        time.sleep(attempt)
    sys.exit("The service cannot be reached. Run this again.")


if __name__ == "__main__":
    with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
        stories = [story(row) for row in csv.DictReader(file)]
    for start in range(0, len(stories), ROWS):
        part = json.dumps(stories[start:start + ROWS]).encode()
        digest = hashlib.sha256(part).hexdigest()
        for item in send_until_answered(part, f"import-{start}-{digest}"):
            print(item["Id"], flush=True)
