import type { ComponentChildren } from 'preact'

const focusable = (element: HTMLElement | null): void => element?.setAttribute('tabindex', '0')

/** What may be wider than the screen scrolls by itself, by keys too. */
export const Scroll = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }) => (
  <section class="scroll" aria-label={label} ref={focusable}>
    {children}
  </section>
)
