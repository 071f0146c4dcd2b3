-- GET day=nxr.7
-- 404 42883 operator does not exist: date &< unknown

-- GET day=not.nxr.7
-- 404 42883 operator does not exist: date &< unknown

-- GET or=(day.nxr.7,paid.is.true)
-- 404 42883 operator does not exist: date &< unknown
