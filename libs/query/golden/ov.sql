-- GET day=ov.7
-- 404 42883 operator does not exist: date && unknown

-- GET day=not.ov.7
-- 404 42883 operator does not exist: date && unknown

-- GET or=(day.ov.7,paid.is.true)
-- 404 42883 operator does not exist: date && unknown
