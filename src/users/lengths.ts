/** The longest name and address of an account, in code points (RFC 5321 §4.5.3.1.3 bounds the address). */
export const maxNameLength = 255
export const maxEmailLength = 254

/** The longest name of a role, in code points. */
export const maxRoleNameLength = 100

/** The most classes that one grant names. */
export const maxClassesOfGrant = 1000
