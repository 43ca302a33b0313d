// watch.h: what the runtime tells the watcher (watch.cpp) of threads and memory.
#ifndef CUDART_WATCH_H
#define CUDART_WATCH_H

#include <cstddef>

// A launch begins, whose blocks have so many bytes of the shared memory that comes with launches; the next of its blocks; a barrier of the
// block; one of a warp.
void watch_launch(size_t shared);
void watch_block();
void watch_barrier();
void watch_warp(unsigned warp);

// All that the launch has done before may be read from here on: the last block to come knows that all others have been here.
void watch_everything_seen();

// Device memory: so many bytes from a multiple of 256 on, and nothing of others' near to them.
char *device_allocate(size_t bytes); // nullptr: there is none
void device_release(char *at);

// The thread that runs updates memory as one step.
void watch_atomic(const void *at, size_t bytes);

#endif
