-- GET day=sl.7
-- 404 42883 operator does not exist: date << unknown

-- GET day=not.sl.7
-- 404 42883 operator does not exist: date << unknown

-- GET or=(day.sl.7,paid.is.true)
-- 404 42883 operator does not exist: date << unknown
