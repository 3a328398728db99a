/** Users, what they may spend, and their keys. Times are milliseconds since the epoch. */
export const accounts = `
CREATE TABLE users (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  quota      INTEGER,                      -- characters; NULL: no limit
  used       INTEGER NOT NULL DEFAULT 0,
  reserved   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE keys (
  id           TEXT PRIMARY KEY,
  user         INTEGER NOT NULL REFERENCES users,
  name         TEXT NOT NULL,
  hash         BLOB NOT NULL UNIQUE,       -- SHA-256 of the key
  hint         TEXT NOT NULL,
  scopes       TEXT NOT NULL,              -- JSON array
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at   INTEGER,
  revoked_at   INTEGER
) STRICT;
`;
