import { type FieldErrors, invalid } from '../../kinds/common/field-errors.ts'

/** How strict a namespace is with pods. */
export type Level = 'privileged' | 'baseline' | 'restricted'

export interface LevelVersion {
  readonly level: Level
  /** Of Kubernetes: that of `v1.30` is 30, `latest` is newer than all. */
  readonly minor: number
}

/** What a namespace demands of its pods. The level for `audit` is left out, because the sandbox has no audit log. */
export interface Policy {
  readonly enforce: LevelVersion
  readonly warn: LevelVersion
  /** Labels that cannot be parsed: they count as the strictest level, for warnings as the loosest. */
  readonly errors: FieldErrors
}

type Labels = Readonly<Record<string, string>> | undefined

const PREFIX = 'pod-security.kubernetes.io/'
const LATEST = Number.POSITIVE_INFINITY
const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted']
const LOOSE: LevelVersion = { level: 'privileged', minor: LATEST }
const NOTHING_ASKED: Policy = { enforce: LOOSE, warn: LOOSE, errors: [] }

/** What the labels of a namespace ask. */
export function policyOf(labels: Labels): Policy {
  for (const name in labels) if (name.startsWith(PREFIX)) return readPolicy(labels)
  return NOTHING_ASKED
}

export function asksNothing({ enforce, warn, errors }: Policy): boolean {
  return enforce.level === 'privileged' && warn.level === 'privileged' && errors.length === 0
}

/** Less than 0, 0, or more, as left is looser than, equal to or stricter than right. */
export function compareLevels(left: Level, right: Level): number {
  return LEVELS.indexOf(left) - LEVELS.indexOf(right)
}

export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor
}

/** `restricted:latest`. */
export function printLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`
}

function readPolicy(labels: Labels): Policy {
  const enforce = readMode(labels, 'enforce', 'restricted')
  const audit = readMode(labels, 'audit', 'privileged')
  const warn = readMode(labels, 'warn', 'privileged')
  const errors = [enforce, audit, warn].flatMap((mode) => mode.errors)
  return { enforce: enforce.asked, warn: warnsAs(enforce, warn), errors }
}

interface Mode {
  readonly asked: LevelVersion
  readonly hasLevel: boolean
  readonly hasVersion: boolean
  readonly isLevelRight: boolean
  readonly errors: FieldErrors
}

/** What is enforced is warned of in templates, unless the namespace says what to warn of. */
function warnsAs(enforce: Mode, warn: Mode): LevelVersion {
  const isCopied = !warn.hasLevel && enforce.hasLevel && enforce.isLevelRight
  if (!isCopied || enforce.asked.level === 'privileged') return warn.asked
  return { level: enforce.asked.level, minor: (warn.hasVersion ? warn : enforce).asked.minor }
}

function readMode(labels: Labels, mode: string, fallback: Level): Mode {
  const levelText = labels?.[PREFIX + mode]
  const versionText = labels?.[`${PREFIX}${mode}-version`]
  const level = levelText === undefined ? 'privileged' : LEVELS.find((each) => each === levelText)
  const minor = versionText === undefined ? LATEST : readVersion(versionText)
  return {
    asked: { level: level ?? fallback, minor: minor ?? LATEST },
    hasLevel: levelText !== undefined,
    hasVersion: versionText !== undefined,
    isLevelRight: level !== undefined,
    errors: [
      ...(level === undefined ? [wrong(mode, levelText, `must be one of ${LEVELS.join(', ')}`)] : []),
      ...(minor === undefined ? [wrong(`${mode}-version`, versionText, 'must be "latest" or "v1.x"')] : []),
    ],
  }
}

function wrong(name: string, value: string | undefined, detail: string): FieldErrors[number] {
  return invalid(`metadata.labels[${PREFIX}${name}]`, value, detail)
}

const VERSION = /^v1\.(0|[1-9][0-9]*)$/

function readVersion(text: string): number | undefined {
  if (text === 'latest') return LATEST
  const [, minor] = VERSION.exec(text) ?? []
  return minor === undefined ? undefined : Number(minor)
}
