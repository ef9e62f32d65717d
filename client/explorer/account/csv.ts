// Rows as a file that spreadsheets open. Texts are by strangers: none of them may begin a formula.

/** A text, or a number that is computed with. */
export type CsvCell = string | { readonly number: string | number | bigint }

/** What a formula begins with, at the beginning of a cell or behind what other spreadsheets end a cell with. */
const FORMULA = /(^|[;|\t\r\n])([^\S\t\r\n]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g

/** A text of which no spreadsheet computes anything. */
export const inertText = (text: string): string => text.replace(FORMULA, "$1'$2")

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

const written = (cell: CsvCell): string => (typeof cell === 'string' ? quoted(inertText(cell)) : String(cell.number))

/** Without it spreadsheets take the file for one of an older encoding. */
const BYTE_ORDER_MARK = '\ufeff'

export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
  `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(written).join(',')}\r\n`).join('')}`
