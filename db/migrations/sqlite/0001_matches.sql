-- Times are integer milliseconds since the epoch, UTC. Ids of Discord are 64-bit integers.

-- The one place that knows who somebody is: everything else holds people.id.
CREATE TABLE people (
    id       INTEGER PRIMARY KEY,
    user_id  INTEGER NOT NULL UNIQUE,
    name     TEXT    NOT NULL,
    back     TEXT,                            -- the card back and the emblem that others see; NULL: not chosen
    emblem   TEXT
) STRICT;

CREATE TABLE matches (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id     INTEGER NOT NULL,
    channel_id   INTEGER NOT NULL,
    message_id   INTEGER,                     -- the challenge, later the board; NULL until Discord has said its id
    kind         TEXT    NOT NULL CHECK (kind IN ('match', 'quick', 'house')),
    status       TEXT    NOT NULL CHECK (status IN ('waiting', 'live', 'paused', 'over', 'void')),
    invited_id   INTEGER REFERENCES people (id),
    rematch_of   INTEGER REFERENCES matches (id),
    -- what the match is a function of (engine/proof.py)
    rules        TEXT    NOT NULL,
    server_seed  BLOB    NOT NULL CHECK (length(server_seed) = 32),
    committed    INTEGER NOT NULL CHECK (committed IN (0, 1)),
    client_seed  TEXT,
    acts         TEXT    NOT NULL DEFAULT '[]',
    steps        INTEGER NOT NULL DEFAULT 0 CHECK (steps >= 0),
    told_from    INTEGER NOT NULL DEFAULT 0,  -- the step at which the turn last played began
    -- the table (engine/table.py): a bit per seat
    seats        INTEGER NOT NULL DEFAULT 0 CHECK (seats BETWEEN 0 AND 6),
    turn         INTEGER NOT NULL DEFAULT 0,
    out          INTEGER NOT NULL DEFAULT 0,
    ready        INTEGER NOT NULL DEFAULT 0,
    slow         INTEGER NOT NULL DEFAULT 0,
    fast         INTEGER NOT NULL DEFAULT 0,
    auto         INTEGER NOT NULL DEFAULT 0,
    missed       INTEGER NOT NULL DEFAULT 0,
    pressed      INTEGER NOT NULL DEFAULT 0,
    offer        INTEGER NOT NULL DEFAULT 0,
    version      INTEGER NOT NULL DEFAULT 0,  -- compare and swap for whatever moves the match on
    deadline_at  INTEGER,
    created_at   INTEGER NOT NULL,
    started_at   INTEGER,
    ended_at     INTEGER,
    termination  TEXT,
    rounds       INTEGER,
    counted      INTEGER NOT NULL DEFAULT 0 CHECK (counted IN (0, 1)),
    CHECK (status NOT IN ('live', 'paused', 'over') OR (client_seed IS NOT NULL AND seats BETWEEN 2 AND 6)),
    CHECK (status <> 'over' OR (ended_at IS NOT NULL AND termination IS NOT NULL AND deadline_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX one_match_per_channel ON matches (channel_id) WHERE status IN ('live', 'paused');
CREATE INDEX matches_due ON matches (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX matches_waiting ON matches (channel_id) WHERE status = 'waiting';
CREATE INDEX matches_invited ON matches (invited_id) WHERE invited_id IS NOT NULL;
CREATE UNIQUE INDEX one_rematch_per_match ON matches (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX matches_of_guild ON matches (guild_id, ended_at);

CREATE TABLE match_seats (
    match_id   INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    person_id  INTEGER NOT NULL REFERENCES people (id),
    guild_id   INTEGER NOT NULL,
    joined     INTEGER NOT NULL,              -- 0 is the host, who deals
    seat       INTEGER CHECK (seat BETWEEN 0 AND 5),  -- NULL until the deal
    playing    INTEGER NOT NULL DEFAULT 0 CHECK (playing IN (0, 1)),
    placing    INTEGER CHECK (placing BETWEEN 1 AND 6),
    cards      INTEGER,
    result     TEXT CHECK (result IN ('win', 'draw', 'loss')),
    PRIMARY KEY (match_id, person_id),
    UNIQUE (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_match_per_person ON match_seats (guild_id, person_id) WHERE playing = 1;
CREATE INDEX seats_of_person ON match_seats (person_id, match_id);

-- A tally of match_seats, kept in the transaction that ends a match; `warbot check` counts again.
CREATE TABLE standings (
    guild_id   INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN ('match', 'quick')),
    person_id  INTEGER NOT NULL REFERENCES people (id),
    wins       INTEGER NOT NULL DEFAULT 0,
    draws      INTEGER NOT NULL DEFAULT 0,
    losses     INTEGER NOT NULL DEFAULT 0,
    played     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, kind, person_id),
    CHECK (played = wins + draws + losses)
) STRICT, WITHOUT ROWID;

CREATE INDEX standings_by_wins ON standings (guild_id, kind, wins DESC, played, person_id);

-- How many people have each record: a rank is a sum over some thousand rows here, not a count over everybody. Kept by
-- triggers, so that nothing that changes standings can forget it.
CREATE TABLE standings_records (
    guild_id   INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    wins       INTEGER NOT NULL,
    played     INTEGER NOT NULL,
    people     INTEGER NOT NULL CHECK (people >= 0),
    PRIMARY KEY (guild_id, kind, wins DESC, played)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER standings_entered AFTER INSERT ON standings
BEGIN
    INSERT INTO standings_records (guild_id, kind, wins, played, people)
        VALUES (NEW.guild_id, NEW.kind, NEW.wins, NEW.played, 1)
        ON CONFLICT (guild_id, kind, wins, played) DO UPDATE SET people = people + 1;
END;

CREATE TRIGGER standings_left AFTER DELETE ON standings
BEGIN
    UPDATE standings_records SET people = people - 1
        WHERE guild_id = OLD.guild_id AND kind = OLD.kind AND wins = OLD.wins AND played = OLD.played;
    DELETE FROM standings_records
        WHERE guild_id = OLD.guild_id AND kind = OLD.kind AND wins = OLD.wins AND played = OLD.played AND people = 0;
END;

CREATE TRIGGER standings_changed AFTER UPDATE OF wins, played ON standings
BEGIN
    UPDATE standings_records SET people = people - 1
        WHERE guild_id = OLD.guild_id AND kind = OLD.kind AND wins = OLD.wins AND played = OLD.played;
    DELETE FROM standings_records
        WHERE guild_id = OLD.guild_id AND kind = OLD.kind AND wins = OLD.wins AND played = OLD.played AND people = 0;
    INSERT INTO standings_records (guild_id, kind, wins, played, people)
        VALUES (NEW.guild_id, NEW.kind, NEW.wins, NEW.played, 1)
        ON CONFLICT (guild_id, kind, wins, played) DO UPDATE SET people = people + 1;
END;

-- The same by wins alone: few enough rows to sum from the top for every page. A row may be left with nobody.
CREATE TABLE standings_wins (
    guild_id   INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    wins       INTEGER NOT NULL,
    people     INTEGER NOT NULL CHECK (people >= 0),
    PRIMARY KEY (guild_id, kind, wins DESC)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER standings_records_entered AFTER INSERT ON standings_records
BEGIN
    INSERT INTO standings_wins (guild_id, kind, wins, people) VALUES (NEW.guild_id, NEW.kind, NEW.wins, NEW.people)
        ON CONFLICT (guild_id, kind, wins) DO UPDATE SET people = people + excluded.people;
END;

CREATE TRIGGER standings_records_changed AFTER UPDATE OF people ON standings_records
BEGIN
    UPDATE standings_wins SET people = people + NEW.people - OLD.people
        WHERE guild_id = NEW.guild_id AND kind = NEW.kind AND wins = NEW.wins;
END;

-- Whom spectators back before the first war.
CREATE TABLE favourites (
    match_id   INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    person_id  INTEGER NOT NULL REFERENCES people (id),
    seat       INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 5),
    PRIMARY KEY (match_id, person_id)
) STRICT, WITHOUT ROWID;

-- What the moderators of a server have set.
CREATE TABLE guilds (
    guild_id   INTEGER PRIMARY KEY,
    text_mode  INTEGER NOT NULL DEFAULT 0 CHECK (text_mode IN (0, 1))
) STRICT;

-- The seed already promised for somebody's next quick match against the house.
CREATE TABLE quick_seeds (
    person_id    INTEGER PRIMARY KEY REFERENCES people (id),
    server_seed  BLOB NOT NULL CHECK (length(server_seed) = 32)
) STRICT;

-- Facts about the installation itself, such as which commands were last synced.
CREATE TABLE facts (
    name   TEXT PRIMARY KEY,
    value  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
