#!/usr/bin/env python3
"""Keeps a copy of work items in a SQLite file and prints what has changed since the last run."""
import json
import os
import sqlite3
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL, TOKEN = os.environ["WORKTRACK_URL"], os.environ["WORKTRACK_TOKEN"]
COLLECTIONS = ["UserStories", "Bugs", "Assignments", "RoleEfforts", "Times", "Comments"]
PAGE = 250
TABLES = """
create table if not exists item (collection text, id integer, text text, primary key (collection, id));
create table if not exists position (collection text primary key, id integer);
"""


def page_after(collection, after, take):
    """The items that follow an Id, in the order of Ids, whether more follow them, and how many were asked for at last."""
    query = urlencode({"where": f"Id gt {after}", "orderBy": "Id", "take": take, "format": "json"})
    request = Request(f"{URL}/api/v1/{collection}?{query}", headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urlopen(request, timeout=60) as answer:
            page = json.load(answer)
    except HTTPError as refusal:
        if refusal.code != 400 or take == 1 or json.load(refusal).get("Code") != "TooMuch":
            raise
        return page_after(collection, after, (take + 1) // 2)  # So many long items are too much for an answer.
    return page["Items"], "Next" in page, take


def own(item):
    """What is compared: of what the item refers to only the Id."""
    return {name: value.get("Id", value) if isinstance(value, dict) else value for name, value in item.items()}


def take_over(copy, collection, after, last, items):
    """The page is all there is between the two Ids: what the copy has beside it there was deleted."""
    stored = dict(copy.execute(
        "select id, text from item where collection = ? and id > ? and id <= ?", (collection, after, last)))
    for item in items:
        text = json.dumps(item, sort_keys=True)
        before = stored.pop(item["Id"], None)
        if before is None or own(json.loads(before)) != own(item):
            print("changed" if before else "new", collection, item["Id"])
        if text != before:
            copy.execute("insert or replace into item values (?, ?, ?)", (collection, item["Id"], text))
    for id in stored:
        print("deleted", collection, id)
        copy.execute("delete from item where collection = ? and id = ?", (collection, id))


def sync(copy, collection):
    """Goes through all items, from where the run before was interrupted if it was."""
    (after,) = copy.execute("select max(id) from position where collection = ?", (collection,)).fetchone()
    after, more, take = after or 0, True, PAGE
    while more:
        items, more, take = page_after(collection, after, min(PAGE, take * 2))
        last = items[-1]["Id"] if more else sys.maxsize
        with copy:  # One transaction: a page is taken over with the position behind it.
            take_over(copy, collection, after, last, items)
            copy.execute("delete from position where collection = ?", (collection,))
            if more:
                copy.execute("insert into position values (?, ?)", (collection, last))
            sys.stdout.flush()  # Before the transaction ends, so that a change is printed twice rather than never.
        after = last


if __name__ == "__main__":
    database = sqlite3.connect(sys.argv[1])
    database.executescript(TABLES)
    for one in COLLECTIONS:
        sync(database, one)
