/** The form in which a body is read. */
export type BodyKind = "json" | "form";

/** The media types of bodies, for errors. */
export const mediaTypes: Readonly<Record<BodyKind, string>> = { json: "application/json", form: "multipart/form-data" };
