import type { SectionOf } from './rule.js'

/** The draft on client ID metadata documents, in the revision whose section numbers we cite. */
const DRAFT = 'draft-ietf-oauth-client-id-metadata-document-02'

/** Returns a section of the draft, such as `§4.1`. */
export function cimd<Section extends SectionOf<typeof DRAFT>>(section: Section) {
  return `${DRAFT} §${section}` as const
}
