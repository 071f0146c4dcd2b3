-- GET day=adj.7
-- 404 42883 operator does not exist: date -|- unknown

-- GET day=not.adj.7
-- 404 42883 operator does not exist: date -|- unknown

-- GET or=(day.adj.7,paid.is.true)
-- 404 42883 operator does not exist: date -|- unknown
