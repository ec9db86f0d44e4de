/** All that the tests store is in these. */
export const SUITES = "savers_suites";
export const TESTS = "savers_tests";
