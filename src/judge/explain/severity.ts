/** The weight of a broken rule, as the doctor weighs it. A weakness lowers a defence that others stand behind. */
export type Severity = 'fault' | 'weakness' | 'remark'
