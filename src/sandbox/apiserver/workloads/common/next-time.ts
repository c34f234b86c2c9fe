import type { Schedule } from '../../kinds/common/schedule.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A schedule that does not fire within this time, as on 30 February, never does. */
const HORIZON = 5 * 366

/** The first time after `from` at which a schedule fires, in milliseconds since 1970. */
export function nextTime(schedule: Schedule, from: number, timeZone: string): number | undefined {
  const localTime = localTimeIn(timeZone)
  let minute = Math.floor(from / MINUTE) * MINUTE + MINUTE
  for (let day = 0; day < HORIZON; day++) {
    const start = localTime(minute)
    const end = minute + DAY - (start.hour * 60 + start.minute) * MINUTE
    if (isDay(schedule, start)) {
      for (; minute < end; minute += MINUTE) {
        const local = localTime(minute)
        if (schedule.hours.has(local.hour) && schedule.minutes.has(local.minute) && isDay(schedule, local))
          return minute
      }
    }
    minute = end
  }
  return undefined
}

interface LocalTime {
  readonly month: number
  readonly day: number
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

function isDay({ months, days, weekdays, anyDay }: Schedule, { month, day, weekday }: LocalTime): boolean {
  if (!months.has(month)) return false
  return anyDay ? days.has(day) || weekdays.has(weekday) : days.has(day) && weekdays.has(weekday)
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function localTimeIn(timeZone: string): (time: number) => LocalTime {
  if (timeZone === 'UTC' || timeZone === 'Etc/UTC') return utcTime
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: 'numeric',
  })
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    const { month, day, weekday = '', hour, minute } = parts
    return {
      month: Number(month),
      day: Number(day),
      weekday: WEEKDAYS.indexOf(weekday),
      hour: Number(hour),
      minute: Number(minute),
    }
  }
}

function utcTime(time: number): LocalTime {
  const date = new Date(time)
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  }
}
