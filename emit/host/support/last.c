/* Exchanges the memory of two images of equal extents. */
static void swap(struct view *a, struct view *b) {
    const struct view t = *a;
    a->memory = b->memory;
    a->offset = b->offset;
    a->pitch = b->pitch;
    a->bytes = b->bytes;
    a->own = b->own;
    b->memory = t.memory;
    b->offset = t.offset;
    b->pitch = t.pitch;
    b->bytes = t.bytes;
    b->own = t.own;
}

static int same_memory(const struct view *a, const struct view *b) {
    return a->memory == b->memory && a->offset == b->offset;
}

/* Brings what images hold after swaps to the memory that they had in the beginning. The first ones of the group are the
   caller's, all others are room that may be used on the way. */
static int bring_home(struct library *self, const struct stream *s, struct view *image, const struct view *own, const int *group,
                      int callers, int count) {
    for (int i = 0; i < callers; i++) {
        struct view *v = &image[group[i]];
        int there = 0; /* who is there now */
        if (same_memory(v, &own[group[i]]))
            continue;
        while (there < count - 1 && !same_memory(&image[group[there]], &own[group[i]]))
            there++;
        if (there < callers) { /* makes place, and ours is now there */
            TRY(move_lines(self, s, &image[group[there]], &image[group[count - 1]]));
            swap(&image[group[there]], &image[group[count - 1]]);
            there = count - 1;
        }
        TRY(move_lines(self, s, v, &image[group[there]]));
        swap(v, &image[group[there]]);
    }
    return status_ok;
}

/* What a workspace for temporary images has to have. */
static int64_t workspace_bytes(const struct view *image, int first, int count) {
    int64_t bytes = 0;
    for (int i = first; i < count; i++)
        bytes += room_for(memory_bytes(image, i, count));
    return bytes;
}
