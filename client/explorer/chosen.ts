// A choice from a table: what a select has, or an address names, is checked before it counts as one of its keys.

export const isKeyOf = <K extends string>(table: Readonly<Record<K, unknown>>, text: string): text is K =>
  Object.hasOwn(table, text)

/** For a select whose options are the keys of the table. */
export const onChosen =
  <K extends string>(table: Readonly<Record<K, unknown>>, choose: (key: K) => void) =>
  ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }): void => {
    if (isKeyOf(table, value)) choose(value)
  }
