import { useKept } from '../keptText.ts'
import { place } from '../router.ts'

interface Toggled {
  readonly currentTarget: { readonly open: boolean }
}

/** Whether a part of a page is open, and what its `details` need. `name` is its own on the page: Back finds it as it was left. */
export function useFolded(name: string, first = false) {
  const [open, setOpen] = useKept(`open ${place.peek().step} ${name}`, first)
  const onToggle = ({ currentTarget }: Toggled): void => {
    if (currentTarget.open !== open) setOpen(currentTarget.open)
  }
  return [open, { open, onToggle }] as const
}
