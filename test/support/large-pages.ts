/**
 * For every CLI that the tests start, seven hundred of them: its allocator may use large pages, which spares it most of
 * its page faults. A start with one turn took 0.6 s of a core instead of 0.9, and 250 MB instead of 210 (2.1.332).
 */
export const LARGE_PAGES = { MIMALLOC_ALLOW_THP: "1" } as const;
