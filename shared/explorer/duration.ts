const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** `3 min`, of whole seconds. */
export function duration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds >= unit) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${name}`
}
