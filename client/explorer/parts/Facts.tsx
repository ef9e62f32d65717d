import type { ComponentChildren } from 'preact'

export interface FactsProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]
}

/** Names and values in two columns; rows without a value are left out. */
export const Facts = ({ rows }: FactsProps) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value !== null && value !== undefined && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
