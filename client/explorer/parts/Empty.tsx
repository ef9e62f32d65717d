import type { ComponentChildren } from 'preact'
import type { Loaded } from '../useReplies.ts'

/** Shown instead of an empty list, with what to do next. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
)

/** Why something cannot be shown. */
export const Trouble = ({ error, reload }: { readonly error: string; readonly reload?: () => void }) => (
  <div class="empty bad-edge" role="alert">
    <p>{error}</p>
    {reload && (
      <button type="button" class="second small" onClick={reload}>
        Try again
      </button>
    )}
  </div>
)

/** While something loads; only visible when that takes a while. */
export const Waiting = () => (
  <p class="waiting" role="status">
    Loading…
  </p>
)

interface ResultsProps {
  readonly of: Loaded<unknown>
}

/** In place of results: why there are none, or that they load. Nothing once they are there. */
export const NotYet = ({ of: { data, error, reload } }: ResultsProps) =>
  data !== null ? null : error === null ? <Waiting /> : <Trouble error={error} reload={reload} />

/** The error of a part that is not shown while it loads. */
export const WhyNone = ({ of: { data, error, reload }, what }: ResultsProps & { readonly what: string }) =>
  data === null && error !== null ? <Trouble error={`${what}: ${error}`} reload={reload} /> : null
