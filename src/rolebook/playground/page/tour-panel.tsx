import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Said } from '../../ui/said.tsx'
import { TOUR_STEPS, type TourProgress } from '../tour.ts'
import { focusControl, markControl } from './pointed-control.ts'
import type { PaneProps } from './store.ts'

/** The button that opens the tour, and has the focus when it is closed. */
export const TOUR_BUTTON = 'tour-button'

/** The tour: what to do next, and where. */
export function TourPanel({ store, state: { tour, isTourShown } }: PaneProps) {
  const controls = (isTourShown && tour && TOUR_STEPS[tour.step]?.controls) || NONE
  useEffect(() => markControl(controls), [controls])
  if (!isTourShown) return null
  const close = (): void => {
    store.closeTour()
    document.getElementById(TOUR_BUTTON)?.focus()
  }
  return (
    <aside class="tour" aria-label="Tour" onKeyDown={({ key }) => key === 'Escape' && close()}>
      <div class="tour-text" aria-live="polite">
        <TourText tour={tour} />
      </div>
      <p class="tour-actions">
        <MainAction store={store} tour={tour} controls={controls} />{' '}
        {tour && tour.step > 0 && tour.step < TOUR_STEPS.length && (
          <Action onClick={() => void store.startTour()}>Start again</Action>
        )}{' '}
        <Action onClick={close}>Close the tour</Action>
      </p>
    </aside>
  )
}

const NONE: readonly string[] = []

/** What was reached by the last step, and the next one. */
function TourText({ tour }: { readonly tour: TourProgress | undefined }) {
  if (!tour) {
    return (
      <p>
        <strong>New here?</strong> A tour of five minutes: change a role, and watch the cluster follow.
      </p>
    )
  }
  const { step } = tour
  const next = TOUR_STEPS[step]
  const before = TOUR_STEPS[step - 1]
  return (
    <>
      {before && <p class="tour-outcome">✓ {before.outcome}</p>}
      {next ? (
        <p>
          <strong>
            Step {step + 1} of {TOUR_STEPS.length}: {next.title}.
          </strong>{' '}
          <Said text={next.text} />
        </p>
      ) : (
        <p>
          <strong>That was the tour.</strong> Choose another project above, or write a role of your own.
        </p>
      )}
    </>
  )
}

interface MainActionProps extends Pick<PaneProps, 'store'> {
  readonly tour: TourProgress | undefined
  readonly controls: readonly string[]
}

/** The same button throughout, so that the focus stays on it. */
function MainAction({ store, tour, controls }: MainActionProps) {
  const isOnTheWay = controls.length > 0
  const text = isOnTheWay ? 'Show me where' : tour ? 'Start again' : 'Start the tour'
  return (
    <Action isMain onClick={() => (isOnTheWay ? focusControl(controls) : void store.startTour())}>
      {text}
    </Action>
  )
}

interface ActionProps {
  readonly children: ComponentChildren
  readonly isMain?: boolean
  onClick(): void
}

function Action({ children, isMain = false, onClick }: ActionProps) {
  return (
    <button type="button" class={isMain ? 'action is-main' : 'action'} onClick={onClick}>
      {children}
    </button>
  )
}

/** Opens the tour where it was, or closes it. */
export function TourButton({ store, state: { isTourShown } }: PaneProps) {
  const toggle = (): void => (isTourShown ? store.closeTour() : store.showTour())
  return (
    <button id={TOUR_BUTTON} type="button" class="action" aria-expanded={isTourShown} onClick={toggle}>
      Tour
    </button>
  )
}
