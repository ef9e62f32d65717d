// JSON that is written already. What never changes is written once, kept as text, and put into results without parsing.

/** The text of a value of type T. */
export class Written<out T> {
  readonly json: string
  /** For the compiler only. */
  declare readonly value?: T

  constructor(json: string) {
    this.json = json
  }
}

/** JSON text of a value. */
export const write = <T>(value: T): Written<T> => new Written(JSON.stringify(value))

export const writeList = <T>(items: readonly Written<T>[]): Written<T[]> =>
  new Written(`[${items.map(({ json }) => json).join()}]`)

/** An object of written members and plain values; undefined ones are left out. */
export function writeObject<T extends object>(
  members: {
    readonly [K in keyof T]: T[K] | Written<NonNullable<T[K]>>
  },
): Written<T> {
  let json = ''
  for (const [name, member] of Object.entries(members)) {
    const text = member instanceof Written ? member.json : (JSON.stringify(member) as string | undefined)
    if (text !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${text}`
  }
  return new Written(`{${json}}`)
}

/** One object of the members of three; none may be empty. */
export const writeMerged = <A extends object, B extends object, C extends object>(
  first: Written<A>,
  second: Written<B>,
  third: Written<C>,
): Written<A & B & C> => new Written(`${first.json.slice(0, -1)},${second.json.slice(1, -1)},${third.json.slice(1)}`)
