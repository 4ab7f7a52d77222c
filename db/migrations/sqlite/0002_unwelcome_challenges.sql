-- Who wants no challenges, and from whom. Times are integer milliseconds since the epoch, UTC.
CREATE TABLE unwelcome (
    person_id  INTEGER NOT NULL REFERENCES people (id),
    from_id    INTEGER REFERENCES people (id),  -- NULL: from everyone
    until_at   INTEGER                          -- NULL: for good
) STRICT;

CREATE UNIQUE INDEX unwelcome_once ON unwelcome (person_id, COALESCE(from_id, 0));
