// The values of a form are in the address of the page, for a reload and for sharing. Nothing is sent
// by opening it, and the key is no part of it.

export interface KeptForm {
  readonly name: string
  /** Title of the way it is sent by. */
  readonly door: string
  /** What the fields hold, by name; empty ones are left out. */
  readonly texts: Readonly<Record<string, string>>
}

/** Longer addresses are cut or refused by servers in between. */
const LONGEST = 4000

export function keepForm(form: KeptForm): void {
  const url = new URL(location.href)
  url.searchParams.set('try', form.name)
  url.searchParams.set('by', form.door)
  url.searchParams.set('with', JSON.stringify(form.texts))
  if (url.search.length > LONGEST) url.search = ''
  url.hash = `method-${form.name}`
  history.replaceState(null, '', url)
}

/** Null for an address without a form, or with one that cannot be read. */
export function keptForm(): KeptForm | null {
  const params = new URLSearchParams(location.search)
  const name = params.get('try')
  if (name === null) return null
  try {
    const found: unknown = JSON.parse(params.get('with') ?? '{}')
    const texts = Object.entries(found ?? {}).flatMap(([field, text]) =>
      typeof text === 'string' ? [[field, text]] : [],
    )
    return { name, door: params.get('by') ?? '', texts: Object.fromEntries(texts) }
  } catch {
    return null
  }
}
