/** `1 message`, `2 messages`. */
export const counted = (many: number, one: string): string => `${many} ${many === 1 ? one : `${one}s`}`
