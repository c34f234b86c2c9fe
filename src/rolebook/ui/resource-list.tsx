import { useMemo, useState } from 'preact/hooks'
import { ReadyBadge } from './badge.tsx'
import { formatCount, formatName } from './format.ts'
import { type Counts, chosenRows, countsOf, SHOWS, type Show, sortedRows } from './list-state.ts'
import { keyOf, type Model, type ResourceRow } from './model.ts'
import { Said } from './said.tsx'
import { VirtualList } from './virtual-list.tsx'

export interface ResourceListProps {
  readonly model: Model
  /** The key of the resource that is open. */
  readonly selected: string | undefined
  /** Where a resource is shown. */
  hrefOf(key: string): string
}

/** Pixels of a line. */
const LINE = 76

/** All resources, those that need a person first, with a search and a choice. */
export function ResourceList({ model, selected, hrefOf }: ResourceListProps) {
  const [show, setShow] = useState<Show>('all')
  const [search, setSearch] = useState('')
  const { rows, isSynced } = model
  const counts = useMemo(() => countsOf(rows.values()), [rows])
  const sorted = useMemo(() => sortedRows(rows.values()), [rows])
  const shown = useMemo(() => chosenRows(sorted, { show, search }), [sorted, show, search])
  return (
    <section class="resources" aria-labelledby="resources-title">
      <h2 id="resources-title" class="visually-hidden">
        Resources
      </h2>
      <div class="list-tools">
        <input
          type="search"
          placeholder="Search by name, kind, reason or message"
          aria-label="Search resources"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <ShowChoice counts={counts} show={show} onChoose={setShow} />
        <p class="muted list-count" role="status">
          {shown.length === rows.size
            ? formatCount(rows.size, 'resource')
            : `${shown.length} of ${rows.size} resources`}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="empty muted">{isSynced ? emptyText(rows.size) : 'Reading the resources…'}</p>
      ) : (
        <VirtualList<ResourceRow>
          label="List of resources"
          items={shown}
          itemHeight={LINE}
          keyOf={keyOf}
          render={(row) => <ResourceLine row={row} href={hrefOf(keyOf(row))} isSelected={keyOf(row) === selected} />}
        />
      )}
    </section>
  )
}

function emptyText(count: number): string {
  return count === 0 ? 'There are no resources yet: apply one, and it appears here.' : 'No resource fits the search.'
}

interface ShowChoiceProps {
  readonly counts: Counts
  readonly show: Show
  onChoose(show: Show): void
}

function ShowChoice({ counts, show, onChoose }: ShowChoiceProps) {
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">Which resources are shown</legend>
      {SHOWS.map((one) => (
        <button key={one.show} type="button" aria-pressed={one.show === show} onClick={() => onChoose(one.show)}>
          {one.label} <span class="count">{counts[one.show].toLocaleString('en')}</span>
        </button>
      ))}
    </fieldset>
  )
}

interface ResourceLineProps {
  readonly row: ResourceRow
  readonly href: string
  readonly isSelected: boolean
}

function ResourceLine({ row, href, isSelected }: ResourceLineProps) {
  const [problem] = row.problems
  const said = problem?.message ?? (row.ready === 'True' ? formatCount(row.objects, 'object') : row.message)
  return (
    <a class="line" href={href} aria-current={isSelected ? 'true' : undefined}>
      <span class="line-head">
        <span class="line-name">{formatName(row)}</span>
        <ReadyBadge row={row} />
      </span>
      <span class="line-kind muted">{row.kind}</span>
      <span class={problem ? 'line-said' : 'line-said muted'}>
        <Said text={said} />
      </span>
    </a>
  )
}
