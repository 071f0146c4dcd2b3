-- GET day=nxl.7
-- 404 42883 operator does not exist: date &> unknown

-- GET day=not.nxl.7
-- 404 42883 operator does not exist: date &> unknown

-- GET or=(day.nxl.7,paid.is.true)
-- 404 42883 operator does not exist: date &> unknown
