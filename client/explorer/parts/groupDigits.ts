/** Digits in groups of three, by a space that is thin and does not break. */
export const groupDigits = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f')
