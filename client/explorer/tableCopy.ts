// Rows of a table that are copied are for a spreadsheet: amounts of one unit as numbers, dates in place of ages.

import { inertText } from './account/csv.ts'

type Cell = HTMLTableCellElement

/** One row is text; several are a table. */
const FEWEST_ROWS = 2

const SPACES = /\s+/g
const NUMBER = /^[+−]?[\d\s]*\d(?:\.\d+)?$/

const unitsOf = (cell: Cell): readonly (string | null)[] =>
  [...cell.querySelectorAll('.unit')].map(({ textContent }) => textContent)

function textOf(cell: Cell, withUnits: boolean): string {
  const copy = cell.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  const leftOut = copy.querySelectorAll('.for-readers, details:not([open]) > :not(summary)')
  for (const one of [...leftOut, ...(withUnits ? [] : copy.querySelectorAll('.unit'))]) one.remove()
  for (const time of copy.querySelectorAll('time')) time.textContent = time.title
  const text = (copy.textContent ?? '').trim()
  return NUMBER.test(text) ? text.replace(SPACES, '').replace('−', '-') : inertText(text.replace(SPACES, ' '))
}

/** The unit that all amounts of a column have is in its heading alone. */
function textsOf(column: readonly Cell[]): readonly string[] {
  const units = column.map(unitsOf)
  const [unit, ...others] = new Set(units.flat())
  const isOne = unit && others.length === 0 && units.every(({ length }) => length < 2)
  return column.map((cell) =>
    isOne && cell.scope === 'col' ? inertText(`${textOf(cell, true)}, ${unit}`) : textOf(cell, !isOne),
  )
}

/** Null for what is not several rows of one table. */
function selectedRows(selection: Selection | null): readonly (readonly string[])[] | null {
  if (selection === null || selection.rangeCount === 0) return null
  const { commonAncestorContainer: around } = selection.getRangeAt(0)
  const table = (around instanceof Element ? around : around.parentElement)?.closest('.scroll, table')
  const all = [...(table?.querySelectorAll('tr') ?? [])]
  const chosen = new Set(all.filter((row) => selection.containsNode(row, true)))
  if (chosen.size < FEWEST_ROWS) return null
  // Without the heading, numbers would have no unit.
  const rows = all.filter((row) => chosen.has(row) || row.closest('thead'))
  const columns = [...(rows[0]?.cells ?? [])].map((_, at) => textsOf(rows.flatMap(({ cells }) => cells[at] ?? [])))
  return rows.map((_, at) => columns.map((texts) => texts[at] ?? ''))
}

function htmlOf(rows: readonly (readonly string[])[]): string {
  const table = document.createElement('table')
  for (const row of rows) {
    const line = table.insertRow()
    for (const text of row) line.insertCell().textContent = text
  }
  return table.outerHTML
}

/** In some browsers it has a selection of its own beside that of the page. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

document.addEventListener('copy', (event) => {
  const rows = isField(event.target) ? null : selectedRows(getSelection())
  if (rows === null || event.clipboardData === null) return
  event.preventDefault()
  event.clipboardData.setData('text/plain', rows.map((row) => row.join('\t')).join('\n'))
  event.clipboardData.setData('text/html', htmlOf(rows))
})
