/** A time as the API writes it: RFC 3339, whole seconds, UTC. */
export function apiTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`
}

/** An age as in kubectl's columns: `4m52s`, `3h`, `12d`. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  const years = Math.floor(days / 365)
  const pair = (big: number, bigUnit: string, small: number, smallUnit: string) =>
    small === 0 ? `${big}${bigUnit}` : `${big}${bigUnit}${small}${smallUnit}`
  if (seconds < 120) return `${seconds}s`
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  if (days < 8) return pair(days, 'd', hours % 24, 'h')
  if (years < 2) return `${days}d`
  return years < 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`
}
