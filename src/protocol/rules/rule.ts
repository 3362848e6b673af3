import type { Rule } from './documents.js'

export type { Rule } from './documents.js'

/** Rules that this lab makes itself: faults that people ask for, and the reference profile. */
export type LabRule = 'serve --fail' | 'reference'

/** The sections of one document that the lab knows, without its name: `SectionOf<'RFC 9110'>` has `12.5.3`. */
export type SectionOf<Document extends string> = Rule extends infer Each
  ? Each extends `${Document} §${infer Section}`
    ? Section
    : never
  : never

declare const cites: unique symbol

/** The text of several rules, or of a rule that comes from outside. Only `joinRules` and `foreignRule` make one. */
export type RuleText = string & { readonly [cites]: true }

/** The rule behind a refusal, a check or a finding. */
export type Citation = Rule | LabRule | RuleText

/** The rule of a planned step. Sections of RFCs begin with the number: `6749 §4.1.1`. */
export type PlanRule =
  | (Rule extends infer Each ? (Each extends `RFC ${infer Section}` ? Section : Each) : never)
  | RuleText

/** Returns several rules as one text, with commas between them. */
export function joinRules(...rules: readonly Citation[]): RuleText {
  return rules.join(', ') as RuleText
}

/** Returns a rule that a record or another server names; it may be any text. */
export function foreignRule(text: string): RuleText {
  return text as RuleText
}

/** Returns a rule as plans of flows name it. */
export function planRule(rule: Citation): PlanRule {
  return rule.replace(/^RFC /, '') as PlanRule
}

/** The draft on client ID metadata documents, in the revision whose section numbers we cite. */
const CIMD = 'draft-ietf-oauth-client-id-metadata-document-02'

/** Returns a section of the draft on client ID metadata documents, such as `§4.1`. */
export function cimd<Section extends SectionOf<typeof CIMD>>(section: Section) {
  return `${CIMD} §${section}` as const
}
