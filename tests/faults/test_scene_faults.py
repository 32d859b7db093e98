"""Every modelled fault is seen by a golden with slack on, and every scene golden is awake for a fault."""

from __future__ import annotations

import pytest

from refnvn.compare.candidates import candidate_named
from refnvn.compare.judge import judge
from refnvn.errors import FieldRangeError
from refnvn.faults.fault import all_faults, fault_named
from refnvn.golden.build import build
from refnvn.golden.case import case_named, catalogue
from refnvn.golden.scene import SceneFunction, trace_of
from refnvn.rules.ledger import ledger_rows

SEEN_BY = {
    "advanced-blend": ("blend/advanced_modes", "blend/advanced_sources"),
    "alias-retire": ("alias_retire/live_target",),
    "alias-takeover": ("alias_retire/takeover", "alias_retire/smaller_takeover"),
    "alpha-test": ("alpha/ramp", "alpha/ramp_float", "alpha/depth"),
    "alpha-test/integer": ("alpha/integer_target",),
    "atomic-rgba8": ("image_usage/atomic_rgba8", "image_usage/atomics"),
    "attachment-capacity": ("attachment_capacity/eight_targets",),
    "attribs-32": ("pull/seventeen_attributes",),
    "barrier-fragment-image": ("barriers/fragment_images",),
    "barrier-prims": ("perf_order/depth_reader", "rast_discard/producer_and_consumer", "rast_discard/chain"),
    "barrier-war": ("rast_discard/write_after_read", "rast_discard/chain"),
    "bc-as-rt": ("image_alias/compressed_as_integers", "image_alias/sampled_blocks"),
    "bind-per-stage": ("program_binding/per_stage",),
    "bindless-depth-reader": ("feedback/depth_by_handle",),
    "buf-tex-copy-early": ("copy_order/staging_written_again",),
    "clear-before-dispatch": ("compute/clear_first",),
    "clear-ds-partial-stencil/dropped": ("clear_ds/partial_stencil",),
    "clear-ds-partial-stencil/whole": ("clear_ds/partial_stencil",),
    "clear-in-pass/dropped": ("clear_ds/in_pass",),
    "clear-int": ("clear_tex/integers", "clear_layers/integers"),
    "clear-larger-att": ("clear_ds/larger_attachment",),
    "clear-layers": ("clear_layers/whole_view", "clear_layers/integers"),
    "clear-scissor/skipped": ("clear_ds/scissor_and_channels",),
    "clear-scissor/whole": ("clear_ds/scissor_and_channels", "clear_ds/planes"),
    "clear-tex-partial/mask": ("clear_tex/mask",),
    "clear-tex-partial/region": ("clear_tex/mask", "clear_tex/region_level_layer", "clear_tex/rounding"),
    "clear-tex-partial/scissor": ("clear_tex/region_level_layer",),
    "composite-program": ("program_binding/seventy_pairs",),
    "compute-binding": ("compute/binding",),
    "conservative-raster": ("conservative_raster/sliver", "conservative_raster/dilated"),
    "copy-alias": ("image_alias/virtual_pages",),
    "copy-order": ("copy_order/overlapping_writes", "copy_order/texture_chain"),
    "copy-scaled": (
        "texture_copy/conversions",
        "texture_copy/filtered",
        "texture_copy/formats_of_one_size",
        "texture_copy/mirrors",
        "texture_copy/scales",
        "texture_copy/stencil",
    ),
    "copy-scaled/first-layer": ("texture_copy/codes", "texture_copy/slices_and_samples"),
    "cpu-window-tex": ("present_crop/cpu_written",),
    "cs-hoist": ("compute/between_draws",),
    "cube-as-array": ("tex_fit_root/cube_arrays",),
    "cube-slot-2d": ("cube_placeholder/cubes",),
    "cube-view-cubes": ("tex_fit_root/cubes",),
    "d16-clear": ("depth16_clear/equal_pass", "depth16_clear/boundaries"),
    "depth-as-colour-rt": ("rt_range/depth_as_colour",),
    "depth-as-red/replicated": ("stencil_view/depth_as_red",),
    "depth-as-red/stale": ("stencil_view/depth_as_red",),
    "depth-clamp": ("primitives/depth_clamp",),
    "depth-plane-copy": ("texture_copy/depth_planes",),
    "dispatch-shared": ("compute/hundred",),
    "downsample-ss": ("texture_copy/downsample",),
    "draw-texture/first-pool": ("draw_texture/pools",),
    "draw-texture/skipped": ("draw_texture/regions", "draw_texture/origins", "draw_texture/blending"),
    "ds-copy-stencil": ("texture_copy/stencil",),
    "ds-pair": ("pso_depth_stencil/one_plane",),
    "dup-attachment": ("attachment_capacity/duplicate",),
    "fans-quads": ("primitives/fans_and_quads", "primitives/depth_clamp"),
    "feedback-snapshot": ("feedback/own_target", "feedback/formats"),
    "feedback-snapshot/old": (
        "feedback/own_target",
        "feedback/tile",
        "feedback/order_without_invalidate",
        "feedback/no_barrier",
        "feedback/image_load",
        "perf_order/layers",
    ),
    "feedback-tile": ("feedback/tile",),
    "feedback-tile/own-pixel": ("feedback/tile",),
    "float-pad": ("float_pad/words", "float_pad/positions", "pull/float_words"),
    "image-flag-share": ("image_alias/resolutions", "upgrade_alias/image_flag"),
    "image-int-view": ("image_usage/integer_view",),
    "image-store-own-att": ("image_attachment_store/own_layer",),
    "image-store-own-att/clear": ("image_attachment_store/after_a_clear",),
    "index8": ("geometry_hazards/byte_indices", "geometry_hazards/elements_record", "geometry_hazards/draw_counts"),
    "index8-gpu-write": ("geometry_hazards/index_bytes",),
    "indirect": (
        "geometry_hazards/arrays_record",
        "geometry_hazards/elements_record",
        "geometry_hazards/draw_counts",
    ),
    "indirect/dispatch": ("compute/indirect",),
    "inline-update": ("ubp_running/colour_between_draws", "ubp_running/taken_when_recorded", "ubp_running/partial"),
    "inline-update-pass": ("ubp_running/colour_between_draws", "ubp_running/partial"),
    "instanced-arrays": ("primitives/instanced_arrays",),
    "int-vertex-inputs": ("pull/integer_words",),
    "layered-vs": (
        "layers/volume",
        "layers/viewports",
        "layers/clip_distances",
        "layers/geometry",
        "layers/tessellation",
    ),
    "lazy-clear": ("clear_ds/read_between", "clear_ds/sampled_between"),
    "logic-op": (
        "logic/rgba8",
        "logic/rgba16",
        "logic/rgb10a2",
        "logic/bgr565",
        "logic/rgba8ui",
        "logic/rg32ui",
        "logic/no_blending",
    ),
    "mask-covers-all": ("clear_tex/mask_of_one_channel", "clear_ds/scissor_and_channels"),
    "mesh-indirect/from-zero": ("mesh_indirect/first_task", "mesh_indirect/tasks"),
    "mesh-indirect/skipped": ("mesh_indirect/first_task", "mesh_indirect/tasks"),
    "mipchain-sample": ("feedback/level_below",),
    "ms-slot/one-sample": ("ms_slot/depth_samples", "ms_slot/eight_samples", "ms_slot/sixteen_samples"),
    "ms-slot/stored-samples": ("ms_slot/more_raster_samples",),
    "ms-slot/unmodulated": ("ms_slot/more_raster_samples",),
    "multidraw-count/all": ("geometry_hazards/draw_counts",),
    "multidraw-count/cut-off": ("geometry_hazards/draw_counts",),
    "multidraw-count/none": ("geometry_hazards/draw_counts",),
    "no-rt-pass": ("image_primitive_id/layers", "image_usage/unordered", "program_binding/storage_slots"),
    "origin-lower-left": ("origin_lower_left/direction", "queue_origin/truth_table"),
    "origin-lower-left/present": ("present_crop/layer_crop", "present_crop/lower_half"),
    "pool-depth-reader": ("feedback/depth_by_handle", "feedback/depth_continued", "feedback/depth_written"),
    "present-crop": ("present_crop/layer_crop", "present_crop/upper_left"),
    "primitive-id": ("image_primitive_id/columns",),
    "query-slots": ("sbw/query_slots",),
    "query-slots/other-counters": ("sbw/draw_counters",),
    "queue-origin": ("queue_origin/truth_table",),
    "rast-discard": ("rast_discard/volume", "transform_feedback/room", "transform_feedback/strip_paused"),
    "record-snapshot": ("clear_layers/record_snapshot",),
    "render-cond/ignored": ("sbw/cleared_once", "sbw/draws_and_clears", "sbw/render_disabled", "sbw/samples_passed"),
    "render-cond/time-in-both": ("sbw/cleared_once", "sbw/condition_after_285_reports"),
    "report-table": ("sbw/condition_after_285_reports",),
    "res-variants": ("image_alias/resolutions",),
    "rgb565-order": ("readback/packed_16_bit", "readback/cleared_16_bit", "readback/strides_and_regions"),
    "rgba4-order": ("readback/packed_16_bit", "readback/cleared_16_bit"),
    "rp-area": ("rt_range/scissors_of_a_pass",),
    "rt-continue": ("feedback/depth_continued",),
    "rt-continue/later": ("feedback/depth_continued",),
    "rt-usage-upgrade": ("texture_copy/any_use",),
    "rt-view-srgb/decoded": ("present_crop/srgb_bytes",),
    "rt-view-srgb/linear": ("present_crop/srgb_bytes",),
    "s4-3-bindings": ("bindless/slots",),
    "s4-3a-combined": ("bindless/slots",),
    "s4-3b-image": ("image_usage/slots",),
    "s4-3c-septex": ("bindless/slots",),
    "s4-3d-sepsamp": ("bindless/slots",),
    "s4-3e-ubo": ("program_binding/uniform_slots",),
    "s4-3f-ssbo": ("program_binding/storage_slots",),
    "s4-3g-pointsize": ("primitives/point_size",),
    "s4-4-bindless": ("bindless/handle_updated_inline",),
    "s4-5-depth-mode/minus-w": ("depth_mode/zero",),
    "s4-5-depth-mode/zero": ("depth_mode/minus_w",),
    "s4-sw-barrier": ("barriers/vertex_reader",),
    "s4-sw-blitorder": ("copy_order/overlapping_writes", "copy_order/texture_chain", "perf_order/events"),
    "s4-sw-fbsnap": ("feedback/own_target", "feedback/formats"),
    "s4-sw-flushfill/cached": ("perf_order/flushed_storage",),
    "s4-sw-flushfill/zeros": ("upgrade_alias/flushed_by_the_processor",),
    "s4-sw-lazyclear": ("clear_ds/sampled_between",),
    "s4-sw-ubdefer": ("ubp_running/colour_between_draws", "ubp_running/taken_when_recorded", "ubp_running/partial"),
    "s4-sw-ubpartial": ("ubp_running/taken_when_recorded", "ubp_running/partial"),
    "s4-sw-vconv": ("pull/float_words",),
    "sample-dim-mismatch": ("tex_fit_root/other_dimensions",),
    "sampler-border": ("border/half_grey", "border/integers", "border/mirrored"),
    "sampler-lod-bias": ("border/lod_bias",),
    "sampler-reduction": ("border/reduction",),
    "slice-merge": ("feedback/partial_views", "perf_order/layers"),
    "sparse-first-mapped": ("view_levels/first_mapped",),
    "src1-unwritten": ("blend/src1_unwritten",),
    "src1-written/target": ("blend/src1_written",),
    "src1-written/zero": ("blend/src1_written",),
    "srgb-alias": ("image_alias/srgb_twin", "srgb_alias/sampled"),
    "ssbo-size0": ("compute/shared_sums", "sbw/storage_of_size_0"),
    "stencil-builder-mode": ("stencil_view/view_and_builder",),
    "stencil-view": ("stencil_view/view_and_builder",),
    "tbuf-1d-fetch": ("tbuf_align/far_elements",),
    "tbuf-int-as-float": ("int_float_view/words",),
    "tbuf-offset16": ("tbuf_align/offsets",),
    "tbuf-rows-align": ("tbuf_align/offsets",),
    "tbuf-ubo-handle": ("tbuf_align/offsets",),
    "tex-1d-row": ("tex_fit_root/other_dimensions",),
    "tex-fit-root/base": ("tex_fit_root/levels_and_layers", "view_levels/one_level_each"),
    "tex-fit-root/mapping": ("tex_fit_root/levels_and_layers",),
    "tex-illegal-fields/copies": ("texture_copy/tolerated_textures",),
    "tex-illegal-fields/read": ("view_levels/tolerated",),
    "tex-illegal-fields/samples": ("ms_slot/eight_samples", "ms_slot/sixteen_samples"),
    "tex-int-as-float": ("int_float_view/words",),
    "tex-swizzle": ("view_swizzle/glyph_atlas", "view_swizzle/packed_16_bit"),
    "tex-swizzle/images": ("image_usage/unmapped_channels",),
    "texid-stale-view": ("bindless/empty_id",),
    "texture-compare": ("nvn/compared_by_mapping",),
    "transform-feedback": ("transform_feedback/room", "transform_feedback/strip_paused"),
    "transient-share": ("alias_retire/rebuilt",),
    "ub-partial": ("ubp_running/partial",),
    "ue-ring": ("perf_order/vertices_written_again", "perf_order/fences"),
    "unwritten-outputs": ("blend/unwritten_outputs",),
    "unwritten-store/shader": ("unwritten_store/failing_fragments",),
    "unwritten-store/stencil": ("unwritten_store/depth_stencil",),
    "upsample-pinned-lod": ("feedback/level_above",),
    "upscaler-colour/encoded": ("upscaler/decoded_once",),
    "upscaler-colour/twice": ("upscaler/decoded_once",),
    "vb-bound-size": ("vbuf/bound_size", "vbuf/straddling", "vbuf/surplus_vertices"),
    "vb-unaligned": ("vbuf/unaligned", "vbuf/writes_between_draws", "vbuf/stride_0"),
    "vconv-format-sign/raw": ("pull/float_words", "pull/eleven_inputs"),
    "vconv-format-sign/zero-extended": ("pull/integer_words", "pull/eleven_inputs"),
    "vertex-formats": ("pull/float_words",),
    "viewport-swizzle/flip-only": ("primitives/viewport_swizzle",),
    "viewport-swizzle/ignored": ("primitives/viewport_swizzle",),
    "vin-pull/base-instance": ("pull/divisors",),
    "vin-pull/fast-division": ("pull/float_words", "pull_inv/equal_pass"),
    "vin-shadow": ("pull/eleven_inputs",),
    "vol-slot-2d": ("cube_placeholder/volumes",),
    "zero-init": ("clear_ds/first_use", "depth16_clear/first_use"),
}
SETTINGS_SEEN_BY = {
    "auto_block_height=round_up": ("storage/block_heights",),
    "auto_block_height=rows_over_8": ("storage/block_heights",),
    "sparse_height=automatic": ("storage/block_heights",),
    "sparse_small=tile": ("storage/block_heights",),
}
"""Settings of layout that scenes see, too; goldens of layout see the others."""
PAIRS = [(fault, golden) for fault, goldens in (SEEN_BY | SETTINGS_SEEN_BY).items() for golden in goldens]


@pytest.mark.parametrize(("fault", "golden"), PAIRS, ids=[f"{fault}-{golden}" for fault, golden in PAIRS])
def test_golden_fails_for_the_fault_with_slack_on(fault: str, golden: str) -> None:
    """What a path with the fault leaves is wrong, not permitted."""
    case = case_named(golden)
    judged = build(case)
    left = candidate_named(fault).run(trace_of(case))
    as_bytes = {one.base.name: left[one.base.name].tobytes() for one in judged.results}
    assert judge(judged, as_bytes).outcome == "wrong"


def test_every_fault_is_seen_by_a_golden() -> None:
    """The table above holds every modelled fault."""
    assert sorted(all_faults()) == sorted(SEEN_BY)


def test_every_scene_golden_is_awake_for_a_fault() -> None:
    """Each scene of the catalogue appears above."""
    scenes = {case.name for case in catalogue() if isinstance(case.function, SceneFunction)}
    assert scenes - {golden for _, golden in PAIRS} == set()


def test_every_fault_is_a_row_of_the_ledger() -> None:
    """A fault's id starts with its row, and says what somebody sees."""
    rows = set(ledger_rows())
    assert [one.id for one in all_faults().values() if one.row not in rows or not one.symptom] == []


def test_unknown_fault_is_named_with_those_there_are() -> None:
    """A mistyped variant lists the variants."""
    with pytest.raises(FieldRangeError, match="clear-scissor/skipped, clear-scissor/whole"):
        fault_named("clear-scissor/nothing")
