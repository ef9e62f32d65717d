/** Options of a cache of so many entries. By `max` it would take the room for all of them at once, in every process. */
export const upTo = (count: number) => ({ maxSize: count, sizeCalculation: (): number => 1 })
