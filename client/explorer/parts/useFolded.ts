import { useStepState } from './useStepState.ts'

interface Toggled {
  readonly currentTarget: { readonly open: boolean }
}

/** Whether a part of a page is open, and what its `details` need. `name` is its own on the page. */
export function useFolded(name: string, first = false) {
  const [open, setOpen] = useStepState(`open ${name}`, first)
  const onToggle = ({ currentTarget }: Toggled): void => {
    if (currentTarget.open !== open) setOpen(currentTarget.open)
  }
  return [open, { open, onToggle }] as const
}
