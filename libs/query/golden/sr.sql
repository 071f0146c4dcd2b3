-- GET day=sr.7
-- 404 42883 operator does not exist: date >> unknown

-- GET day=not.sr.7
-- 404 42883 operator does not exist: date >> unknown

-- GET or=(day.sr.7,paid.is.true)
-- 404 42883 operator does not exist: date >> unknown
