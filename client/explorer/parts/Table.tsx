import type { ComponentChildren } from 'preact'

const focusable = (element: HTMLElement | null): void => element?.setAttribute('tabindex', '0')

/** What may be wider than the screen scrolls by itself, by keys too. */
const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <section class="scroll" aria-label={label} ref={focusable}>
    {children}
  </section>
)

/** The heading of a column; of numbers, which stand at the right. */
export type ColumnHead = string | { readonly number: string }

export interface TableProps {
  readonly label: string
  readonly columns: readonly ColumnHead[]
  readonly class?: string
  /** Its rows. */
  readonly children: ComponentChildren
}

export const Table = ({ label, columns, class: name, children }: TableProps) => (
  <Scroll label={label}>
    <table class={name}>
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              <th key={column.number} scope="col" class="number">
                {column.number}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scroll>
)
