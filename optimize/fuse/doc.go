// Package fuse puts stages together: the pixels of an intermediate image are computed where they are used, and the image is never in
// memory. It works on hast, so that all that comes after it, plans and lowering, sees stages as before: a fused one is a part of the
// stage that needs it (hast.Stage.Fused).
//
// It says what may be fused, and why something may not; what should be, a schedule decides. Stages move to where their last reader
// runs, so that nothing between may write what they read. That a block of a stage can be computed with what it needs of others is
// for optimize/block to say.
package fuse
