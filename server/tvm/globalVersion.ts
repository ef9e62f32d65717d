/** The newest rules the emulator knows, as parameter 8 of a network counts them. */
export const NEWEST_GLOBAL_VERSION = 12
