/** A rule as people write it: plans name RFCs by their number alone. */
export function ruleName(rfc: string): string {
  return /^\d/.test(rfc) ? `RFC ${rfc}` : rfc
}

/** The address at which a rule can be read; undefined for a rule outside the RFCs. */
export function ruleAddress(rule: string): string | undefined {
  const [, number, section] = /^(?:RFC )?(\d{3,5})(?: §([\d.]+))?/.exec(rule) ?? []
  if (number === undefined) return undefined
  const anchor = section === undefined ? '' : `#section-${section.replace(/\.$/, '')}`
  return `https://www.rfc-editor.org/rfc/rfc${number}${anchor}`
}
