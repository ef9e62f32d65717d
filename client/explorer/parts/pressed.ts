// A click counts for what was pressed: while a button or a finger is down, rows of a new block may move the page.

const PRESSED = 'a[href], button, summary, [role="treeitem"]'
/** In pixels. Further away is where a person meant to let go. */
const NEAR = 10

const pressedBy = ({ target }: Event): Element | null => (target instanceof Element ? target.closest(PRESSED) : null)

let began: { readonly on: Element | null; readonly x: number; readonly y: number } | null = null

function onClick(event: MouseEvent): void {
  const press = began
  began = null
  // Keys and scripts click, too, and no press is before that.
  if (press === null || event.detail === 0 || pressedBy(event) === press.on) return
  if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > NEAR) return
  event.preventDefault()
  event.stopImmediatePropagation()
  press.on?.dispatchEvent(new MouseEvent('click', event))
}

document.addEventListener(
  'pointerdown',
  (event) => {
    began = { on: pressedBy(event), x: event.clientX, y: event.clientY }
  },
  true,
)
document.addEventListener('click', onClick, true)
