import type { KeysPlace } from '../../app/callers.ts'
import { shellWord } from '../../process/index.ts'
import { settings } from '../flags.ts'

/** The flags that lead another command to the same keys, with a space in front; none for the usual folder. */
export function placeWords({ data, database, databaseFile }: KeysPlace): string {
  if (databaseFile !== '') return ` --database-file ${shellWord(databaseFile)}`
  if (database !== 'pglite') return ' --database postgres://...'
  return data === settings.find(({ name }) => name === 'data')?.fallback ? '' : ` --data ${shellWord(data)}`
}
