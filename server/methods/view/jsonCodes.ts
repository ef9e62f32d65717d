// ASCII codes of the characters JSON is put together with, for texts that are written as bytes.

export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125
