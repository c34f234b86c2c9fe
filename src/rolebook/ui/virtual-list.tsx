import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface VirtualListProps<Item> {
  readonly label: string
  readonly items: readonly Item[]
  /** Pixels of each item. */
  readonly itemHeight: number
  keyOf(item: Item): string
  render(item: Item): ComponentChildren
}

/** Items above and below what is seen: a fast scroll shows no gap. */
const MARGIN = 6

/** A list of any length. The page holds only the visible items. */
export function VirtualList<Item>({ label, items, itemHeight, keyOf, render }: VirtualListProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const first = Math.max(0, Math.floor(view.top / itemHeight) - MARGIN)
  const seen = items.slice(first, first + Math.ceil(view.height / itemHeight) + 2 * MARGIN)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with keys
    <section class="virtual" ref={box} tabIndex={0} aria-label={label}>
      <ul style={{ height: `${items.length * itemHeight}px` }}>
        {seen.map((item, index) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + index + 1}
            style={{ transform: `translateY(${(first + index) * itemHeight}px)`, height: `${itemHeight}px` }}
          >
            {render(item)}
          </li>
        ))}
      </ul>
    </section>
  )
}
