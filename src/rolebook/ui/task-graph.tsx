import { type Graph, type GraphLayout, layoutOf, type PlacedEdge, type PlacedNode } from './graph-layout.ts'

const BOX = { width: 168, height: 44 }
const GAP = { x: 28, y: 14 }
/** Room for the outlines of nodes at the rim. */
const RIM = 2
/** Characters of a title that fit. */
const LONGEST = 16
/** With more nodes, the list is easier to read than the graph. */
const MOST_NODES = 60

/** The tasks of a role in their order, and the objects that they made. */
export function TaskGraph({ graph }: { readonly graph: Graph }) {
  const { nodes, edges, columns, lines } = fittingLayout(graph)
  if (nodes.length === 0 || nodes.length > MOST_NODES) return null
  const width = columns * (BOX.width + GAP.x) - GAP.x + 2 * RIM
  const height = lines * (BOX.height + GAP.y) - GAP.y + 2 * RIM
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached with keys
    <section class="graph" tabIndex={0} aria-label="Graph of tasks and objects">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label="Tasks in their order, the objects that they made, and what those own. The lists below say the same."
      >
        {edges.map((edge) => (
          <path
            key={`${edge.from.id} ${edge.to.id}`}
            class={edge.isOptional ? 'edge is-optional' : 'edge'}
            d={pathOf(edge)}
          />
        ))}
        {nodes.map((node) => (
          <NodeBox key={node.id} node={node} />
        ))}
      </svg>
    </section>
  )
}

/** What the objects own is left to the list where it would be too much. */
function fittingLayout({ objects, ...graph }: Graph): GraphLayout {
  const whole = layoutOf({ ...graph, objects })
  if (whole.nodes.length <= MOST_NODES) return whole
  return layoutOf({ ...graph, objects: objects.map(({ owned: _, ...object }) => object) })
}

/** Names of Pods differ at their ends. */
function shortened(title: string): string {
  if (title.length <= LONGEST) return title
  return `${title.slice(0, LONGEST - 9)}…${title.slice(-8)}`
}

function NodeBox({ node }: { readonly node: PlacedNode }) {
  const { kind, title, note, state } = node
  const { x, y } = cornerOf(node)
  return (
    <g class={`node is-${kind} state-${state}`} transform={`translate(${x} ${y})`}>
      <title>{`${note} ${title}: ${state}`}</title>
      <rect width={BOX.width} height={BOX.height} rx={kind === 'task' ? 8 : 22} />
      <circle cx="16" cy={BOX.height / 2} r="4" />
      <text x="30" y="19" class="node-title">
        {shortened(title)}
      </text>
      <text x="30" y="34" class="node-note">
        {note}
      </text>
    </g>
  )
}

function cornerOf({ column, line }: PlacedNode): { readonly x: number; readonly y: number } {
  return { x: column * (BOX.width + GAP.x) + RIM, y: line * (BOX.height + GAP.y) + RIM }
}

function pathOf({ from, to }: PlacedEdge): string {
  const [start, end] = [cornerOf(from), cornerOf(to)]
  const [x1, y1] = [start.x + BOX.width, start.y + BOX.height / 2]
  const [x2, y2] = [end.x, end.y + BOX.height / 2]
  const bend = Math.max(GAP.x / 2, (x2 - x1) / 2)
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
